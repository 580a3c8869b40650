import js from "@eslint/js";
import globals from "globals";

export default [
    js.configs.recommended,
    {
        languageOptions: { globals: globals.browser },
        rules: { "no-unused-vars": ["error", { ignoreRestSiblings: true }] }, // a name taken out of what is left
    },
];
