/**
 * Defines where invisible characters are part of ordinary writing (open point 32). Everywhere else they make one name
 * look like another, or empty.
 */

/** Letters of scripts that are written joined: Persian separates two of them with U+200C, as in "نمی‌خواهم". */
const JOINING_LETTER = String.raw`[[\p{sc=Arab}\p{sc=Syrc}\p{sc=Mong}\p{sc=Nkoo}\p{sc=Mand}\p{sc=Adlm}\p{sc=Rohg}]&&\p{L}]`
/** Arabic letters that never join the next one: between them and it U+200C changes nothing (Joining_Type R and U). */
const ENDING_LETTER = String.raw`[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2\u06d3\u06d5\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779]`
/** Viramas of Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam and Sinhala. */
const VIRAMA = String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]`
/** Bengali, Telugu and Kannada RA, which U+200D before the virama keeps in its full form, as in "র‍্যাব". */
const INDIC_RA = String.raw`[\u09b0\u0c30\u0cb0]`
/**
 * Tags that spell a region after a black flag, and the one that ends them: the flags of England, Scotland and Wales.
 */
const FLAG_TAGS = String.raw`[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}`
/**
 * Characters that Unicode gives variants: emoji, other symbols, ideographs, Myanmar letters, full-width punctuation.
 */
const WITH_VARIANTS = String.raw`[[\p{ExtPict}\p{Sm}\p{So}\p{sc=Han}\p{sc=Mymr}\u3001\u3002\uff01\uff0c\uff0e\uff1a\uff1b\uff1f]--\p{ASCII}]`

/**
 * UAX 31 (section 2.3: A1, A2, B) for joiners in words, UTS 51 and UAX 29 (GB11) for emoji. Linear in the length of the
 * text.
 */
const NEEDED = new RegExp(
  [
    // ZERO WIDTH NON-JOINER
    `(?<=[${JOINING_LETTER}--${ENDING_LETTER}]\\p{M}*)\\u200c(?=\\p{M}*${JOINING_LETTER})`,
    `(?<=${VIRAMA})\\u200c(?=\\p{L})`,
    // ZERO WIDTH JOINER
    `(?<=${VIRAMA})\\u200d(?!\\p{M})`,
    `(?<=${INDIC_RA})\\u200d(?=${VIRAMA})`,
    `(?<=\\p{ExtPict}[\\ufe0f\\p{EMod}]?)\\u200d(?=\\p{ExtPict})`,
    // Variation selectors; a keycap is a digit, the selector of emoji and U+20E3.
    `(?<=${WITH_VARIANTS})[\\ufe00-\\ufe0f]`,
    '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
    `(?<=\\u{1f3f4})${FLAG_TAGS}`,
  ].join('|'),
  'gv',
)

const INVISIBLE = /[\p{Bidi_Control}\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/v

/** Reports whether a text has direction characters, or invisible characters that no script and no emoji needs there. */
export const hasDeceptiveCharacters = (value: string): boolean =>
  INVISIBLE.test(value) && INVISIBLE.test(value.replace(NEEDED, ''))
