"""The Transformer translator: translation, traces, ablations and interventions.

Everywhere, `source` is the ids of a source with `</s>`, and `target` those that were written, without `<s>`.
"""
