// What words.js knows of other languages: this file knows none; Python sends another in its place (`figures/live/words.py`).

/** A language to its messages by the English ones. @type {Record<string, Record<string, string> | undefined>} */
export default {};
