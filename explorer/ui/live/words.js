// Words of the pictures: written in English, said in the language of the data that is drawn.
import catalogues from "./catalogues.js";

/** @type {Record<string, string>} */ let translated = {};

/** Say everything from now on in a language. @param {string} language such as `zh` */
export function setLanguage(language) {
    translated = catalogues[language] ?? {};
}

/** Translate a message, and fill its {placeholders}. It is called while something is drawn: before, no language is known.
 * @param {string} message a literal, as `tests/translations.py` collects it @param {Record<string, unknown>} [values] */
export const t = (message, values = {}) => formatMessage(translated[message] ?? message, values);

/** Fill the {placeholders} of a sentence, in one go: what is filled in may hold any. @param {string} sentence
 * @param {Record<string, unknown>} values */
export const formatMessage = (sentence, values) =>
    sentence.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));
