"""Every box that a reader can type into, by its name: what it refuses."""

#: Text that each box refuses; where a blank is a text like any other, or means the usual one, `ACCEPT`.
REFUSED = {
    **dict.fromkeys(
        (
            *("mh_text", "sa_text", "sa_line", "wt_text", "wt_batch", "wt_caption", "ms_text", "tr_text"),
            *(
                "tr_other",
                "tr_bleu_reference",
                "pe_text",
                "qk_sentence",
                "om_text",
                "om_long",
                "om_into",
                "om_from",
                "om_source",
            ),
        ),
        " ",
    ),
    **dict.fromkeys(
        (
            *("wt_blanked", "sf_lengths", "md_cells", "ms_hand", "ms_lengths", "vi_hidden", "vi_off", "kr_csv"),
            *("qk_keys", "tl_table", "sf_queries", "sf_points", "sf_valid", "om_numbers"),
        ),
        "http://x",
    ),
}
ACCEPT = {
    *("pe_line", "tr_bleu_hypothesis", "tl_text", "tg_text", "tg_line", "tg_letters", "tg_instead", "tr_edit_text"),
    *("sa_true", "tr_doc_text", "ea_text", "om_lines", "om_start"),
}
#: Names of the text boxes of a page, in folds too; not those that nobody sees, and the link carries.
BOXES = """() => [...document.querySelectorAll(
    '[data-testid=stMain] :is([data-testid=stTextInput], [data-testid=stTextArea])')]
    .filter(box => !box.closest('[class*=_in_url]'))
    .map(box => box.closest('[class*=st-key-]').className.match(/st-key-(\\w+)/)[1])"""
