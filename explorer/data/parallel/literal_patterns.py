"""Patterns of what is copied, one for each kind; the last letter of its name says what may be read for it.

`P` a place, `W` a person, `N` a number, `T` a place inside a sentence and nothing at its edges, `M` nothing.
"""

import re
from functools import cache
from typing import Literal

Kind = Literal["place", "person", "number", "time", "tag", "mark"]

_SCHEMES = (
    "mailto tel sms data urn magnet javascript about sip sips xmpp bitcoin geo doi spotify view-source blob skype"
    " callto facetime jdbc arxiv file smb cid mid sftp ftp ssh http https ws wss"
)
_DOMAINS = (
    "com org net edu gov mil int io de fr cn uk app dev info ai co eu ch jp kr ru nl es se br ca au tv cc xyz biz wiki"
    " online site tech shop blog cloud museum test example invalid localhost local lan ly gl gg page link news"
)
_FILES = (
    "pdf docx? xlsx? pptx? odt ods odp rtf txt md rst tex bib csv tsv jsonl? ya?ml toml ini cfg conf log xml xsd html?"
    " css scss m?js jsx tsx? py ipynb pyi java class jar c h cpp hpp cc cs go rs rb php pl swift kt scala lua sh bash"
    " zsh bat cmd ps1 sql db sqlite3? parquet npy npz pt pth onnx safetensors zip tar(?:\\.(?:gz|bz2|xz))? t?gz bz2 xz"
    " 7z rar iso dmg exe msi apk deb rpm dll so bin dat bak tmp lock png jpe?g gif svg webp bmp tiff? ico heic avif"
    " psd ai eps mp3 mp4 wav flac ogg m4a aac avi mkv mov webm srt vtt ttf otf woff2? epub mobi ics vcf eml env"
    " gitignore po mo patch diff key pem crt"
)
#: Characters that no address holds, in Chinese besides Latin ones.
_STOP = r"\s\u00a0\u2000-\u200b\u202f\u3000<>\"“”«»`，。；！？、（）《》【】「」…"
_HAN = "\u3400-\u9fff"
#: With dots, and no name of anything.
COMMON_WORD = re.compile(r"(?:[a-zA-ZäöüÄÖÜàâçéèê]{1,2}\.)+[a-zA-ZäöüÄÖÜàâçéèê]{0,3}|.*\.\.+.*|\d[\d.]*")
_PICTURE = (
    "[\u00a9\u00ae\u2122\u203c\u2049\u2139\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d"
    "\u3297\u3299\ue000-\uf8ff\U0001f000-\U0001faff\U000f0000-\U000ffffd\U00100000-\U0010fffd]"
)
_MORE = "(?:[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f])*"
_KEYCAP = "[0-9#*]\ufe0f?\u20e3"
_EMOJI = f"(?:{_KEYCAP}|{_PICTURE}{_MORE}(?:\u200d{_PICTURE}{_MORE})*)"
_FACE = r"(?<![^\s])(?:[:;=8xX]['’]?-?[)(DPpOo/\\|*3\]\[]+|<3+|\^_+\^|[oO]_[oO]|¯\\_\(ツ\)_/¯)(?!\w)"
_NUMBER = r"[$€£¥]?\d+(?:[.,]\d+)*(?:%|²|³)?"
_TERM = rf"(?:{_NUMBER}|\d*(?:[A-Za-z]|[A-Za-z]{{1,2}}[²³⁰-⁹])(?![A-Za-zÀ-ÿ])|√\d+|\d*π)"
_PLUS, _ANY = "[×÷^√*+·∙⋅]|(?<=\\d)[xX](?=\\s?\\d)|(?<=\\d )[xX](?= \\d)", "[×÷^*+·∙⋅/−–:xX-]"
_EQUALS, _COMPARES = "(?:==|!=|<=|>=|[=≈≠≤≥])", r"(?:\s?[≤≥]\s?|\s[<>]\s|(?<=\d)[<>](?=\d))"
_VERSION = r"\d+(?:\.(?:\d+|[x*]))"
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")


def is_grouped_number(found: str, language: str) -> bool:
    """Return whether what looks like a version is a number with its thousands set apart by points."""
    return language in ("de", "fr") and bool(_GROUPED.fullmatch(found))


@cache
def patterns(language: str) -> re.Pattern[str]:
    """Return all patterns as one; the first that fits is taken."""
    chinese = language == "zh"
    stop = _STOP + (_HAN if chinese else "")
    kinds = {**_code(), **_addresses(stop, chinese=chinese), **_names(chinese=chinese), **_sums()}
    whole = "|".join(f"(?P<{name}>{pattern})" for name, pattern in kinds.items())
    return re.compile(whole, re.ASCII if chinese else 0)  # in Chinese text only Latin letters belong to an address


def _code() -> dict[str, str]:
    """Return code, and what a program puts something else for."""
    value = r"(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"'=]+)"
    return {
        "code_P": r"```[^`]*```|``[^`\n]+``|`[^`\n]+`",
        "slot_double_N": r"\{\{[^{}\n]*\}\}",
        "slot_block_M": r"\{%[^%\n]*%\}|<!--[^<>\n]*-->",
        "slot_brace_W": r"[$#@%]?\{(?:[^{}\n]|\{[^{}\n]*\})*\}",
        "slot_named_W": r"%\([^()\s]*\)[#0+-]*\d*(?:\.\d+)?[a-zA-Z]",
        "path_variable_P": r"%[A-Za-z_]\w+%(?:[\\/][^\s\"<>|?*]*)?|\$[A-Za-z_]\w*(?:/[^\s\"<>|?*]+)?",
        "slot_printf_N": r"%%|(?<![\d%])%(?:\d+\$)?[#0+-]*\d*(?:\.\d+)?(?:hh|h|ll|l|q|L|z|j|t)?"
        r"(?:[diouxXeEfFgGcspn]|@)(?:(?:px|pt|ms|[kmg]b|s|h|m|x)\b|(?![A-Za-z]))",
        "tags_M": rf"</[A-Za-z0-9][\w:.-]*\s*>|<\d+/?>|<[A-Za-z][\w:.-]*(?:\s+[\w:@.-]+={value})*\s*/>"
        rf"|<(?:[abipqsu]|br|hr|em|h\d|li|ul|ol|td|tr|th|div|img|code|kbd|pre|span|strong|small|sup|sub|table)"
        rf"(?:\s+[\w:@.-]+={value})*\s*>|<[A-Za-z][\w:.-]*(?:\s+[\w:@.-]+={value})+\s*>"
        r"|<(?P<opened>[A-Za-z][\w:.-]*)>(?=.*</(?P=opened)>)",
        "slot_angle_W": r"<[A-Za-z_][\w.:-]*>",
        "entity_M": r"&(?:[A-Za-z]{2,8}|#\d+|#x[0-9A-Fa-f]+);",
    }


def _addresses(stop: str, *, chinese: bool) -> dict[str, str]:
    """Return addresses of pages, people, machines and files."""
    schemes, domains = _SCHEMES.replace(" ", "|"), _DOMAINS.replace(" ", "|")
    host = r"(?:\w[\w-]*\.)+"
    wide = rf"|[A-Za-z][A-Za-z0-9+.-]*://[{_HAN}][^{_STOP}]*" if chinese else ""
    before = r"(?<![A-Za-z0-9_@/.-])"
    return {
        "email_W": rf"{before}[\w.+%'-]*\w[@＠](?:(?:\w[\w-]*\.)+\w+(?::[^{stop}]+)?"
        rf"|[\w-]+:[^{stop}]+|localhost(?![A-Za-z0-9]))",
        "url_P": rf"{before}(?:[A-Za-z][A-Za-z0-9+.-]*://[^{stop}]+{wide}|(?:{schemes}):[^{stop}]+"
        rf"|[Ww][Ww][Ww]\.[^{stop}]+|{host}(?:{domains})(?![A-Za-z0-9_-]|\.\w)(?::\d+)?(?:[/?#][^{stop}]*)?"
        rf"|{host}[a-z]{{2,}}(?::\d+)?/[^{stop}]*|localhost(?::\d+)?(?:/[^{stop}]*)?(?![A-Za-z0-9_]))",
        "ip_P": rf"(?<![\d.])\d{{1,3}}(?:\.\d{{1,3}}){{3}}(?![\d.]\d)(?::\d+)?(?:/\d[^{stop}]*|/[^{stop}]+)?"
        r"|(?<![\w:])\[?(?:(?:[0-9A-Fa-f]{1,4}:){4,7}[0-9A-Fa-f]{1,4}|(?:(?:[0-9A-Fa-f]{1,4}:)+:(?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?"
        r"|::[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*))(?:%\w+)?\]?(?::\d+)?(?:/\d+)?(?![\w:])"
        r"|(?<![\w:-])(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}(?![\w:-])",
        "path_windows_P": r"(?<![A-Za-z0-9])[A-Za-z]:[\\/]"
        r"(?:[^\s\\/:*?\"<>|](?:[^\\/:*?\"<>|\n]*[^\s\\/:*?\"<>|])?[\\/])*"
        rf"[^\\/:*?|{stop}]*|\\\\[\w.$-]+(?:\\[^\\{stop}]+)+|(?<![A-Za-z0-9_])[A-Za-z_]\w*(?:\\[\w.-]+)+",
        "path_unix_P": rf"(?<![\w/.:<>)\]])(?:~|\.{{1,2}})?/[^{stop}/]*[A-Za-z_][^{stop}]*|~/",
        "path_relative_P": r"(?<![\w/.@-])[\w.@-]*\w(?:/[A-Za-z0-9_.@+-]+)+/?",
    }


def _names(*, chinese: bool) -> dict[str, str]:
    """Return names of accounts, tags, files, versions, options and secrets."""
    han = rf"|[{_HAN}]{{1,15}}(?=[\s，。！？,.!?]|$)" if chinese else ""
    files, extra = _FILES.replace(" ", "|"), r"|#[^#\s，。！？]{1,20}#" if chinese else ""
    return {
        "account_W": rf"(?<![\w@.])@(?:\w[\w.-]*\w|\w{han})(?:[@/][\w.-]*\w)?",
        "tag_T": rf"(?<![\w#&])#(?:\w[\w-]*\w|\w{han}){extra}",
        "quoted_P": rf"(?<=[\"“«„‘「『])[^\"“”«»„‘’「」『』\n.?!]{{1,60}}\.(?:{files})(?=[\"”»“’」』])",
        "file_P": rf"(?<![A-Za-z0-9_.])(?:\w|\.(?=\w))[\w.()+~-]*\.(?:{files})(?![A-Za-z0-9_])"
        r"|(?<![\w.])\.(?:[a-z]\w+)(?:[.-]\w+)*|\b(?:Makefile|Dockerfile|Jenkinsfile|Vagrantfile)\b",
        "version_N": rf"(?<![A-Za-z0-9_.,])(?:[\^~]|~>|[<>=]=?)?\s?[vV]?{_VERSION}(?:\.(?:\d+|[x*]))+"
        r"(?:[-+][A-Za-z0-9][\w.+-]*\w|(?:a|b|rc|alpha|beta)\d+)?(?![\w]|\.\d)"
        rf"|(?<![A-Za-z0-9_.,])[vV]{_VERSION}*(?![\w]|\.\d)|(?<![\w.,]){_VERSION}-?(?:alpha|beta|rc|a|b)\.?\d*(?!\w)"
        rf"|(?:(?<=[Vv]ersion )|(?<=[Rr]elease )|(?<=版本)|(?<=版本 )|(?<=Python )){_VERSION}(?![\w]|[.,]\d)",
        "call_P": r"(?<![\w.])[A-Za-z_][\w.]*\(\)",
        "flag_P": r"(?<![^\s(（])--[A-Za-z][\w-]*(?:=[^\s,;]+)?|(?:Ctrl|Alt|Shift|Cmd|Strg|Maj|Option)(?:\+\w+)+",
        "snake_P": r"(?<![A-Za-z0-9_.-])(?:[A-Za-z0-9]+_|_+[A-Za-z0-9])[A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*",
    }


def _sums() -> dict[str, str]:
    """Return sums and comparisons, secrets, dotted names, and emoji."""
    digit = r"(?<![\w.,:/\\#@%$€£¥-])"
    brackets = r"[\s(]*"
    return {
        "sum_N": rf"{digit}\(?{_NUMBER}(?:{brackets}(?:{_PLUS}){brackets}{_NUMBER}\)?)+"
        rf"(?:\s?{_EQUALS}\s?(?:[-−]?{_TERM}|\?))*"
        rf"(?![\w]|[.,]\d)|{digit}{_NUMBER}(?:{_COMPARES}{_NUMBER})+(?![\w]|[.,]\d)",
        "equation_N": rf"{digit}[(√-]?{_TERM}(?:{brackets}{_ANY}{brackets}{_TERM}\)?)*"
        rf"\s?{_EQUALS}\s?[(-]?(?:{_TERM}|\?)"
        rf"(?:\s?(?:{_ANY}|{_EQUALS})\s?{_TERM}\)?)*(?![\w]|[.,]\d)",
        "emoji_M": rf"{_EMOJI}(?:[ \ufe0f]?{_EMOJI})*|{_FACE}",
        "dotted_P": r"(?<![\w.@])[A-Za-z_]\w*(?:\.[A-Za-z0-9_]+)+(?!\w)",
        "token_W": r"(?<![^\s\"“”«»„‘’'(（\u3000-\u303f\u3400-\u9fff：，；:])[A-Za-z0-9#$%&*@!^~+=|_?<>][!#-~]{4,}",
    }
