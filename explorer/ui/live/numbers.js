// How numbers are written: with a real minus sign, as many digits as are known, powers of ten raised.

/** Write a number with a real minus sign. @param {number} value @param {number} [digits] */
export const number = (value, digits = 1) =>
    (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits).replace("-", "−");

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** Write a power of ten. @param {number} power */
export const formatPowerOfTen = (power) =>
    `10${power < 0 ? "⁻" : ""}${[...String(Math.abs(power))].map((digit) => RAISED[Number(digit)]).join("")}`;

/** Write a number to some digits as readings print it: −0.5, 2·10⁻⁶; a dash for none. @param {number} value */
export function formatSignificant(value, digits = 3) {
    if (!Number.isFinite(value)) return "–";
    const [size, power] = value
        .toExponential(digits - 1)
        .split("e")
        .map(Number);
    const text =
        power < -4 || power >= Math.max(digits, 4)
            ? `${size}·${formatPowerOfTen(power)}`
            : String(Number(value.toPrecision(digits)));
    return text.replace("-", "−");
}

/** Write one of several numbers: two digits behind the point, but three digits in all where they differ by less than a tenth.
 * @param {number} value @param {number} spread from the smallest to the largest */
export const formatForSpread = (value, spread) => (spread < 0.1 ? formatSignificant(value) : number(value, 2));

/** Write a weight as a percentage. @param {number} weight */
export const percent = (weight) =>
    weight > 0 && weight < 0.0095
        ? "< 1%"
        : weight >= 0.995 && weight < 1 - 1e-6
          ? "> 99%"
          : `${Math.round(100 * weight)}%`;
