/** The version of Typst in the package, which an edition names; a test compares it with what the files say. */
export const COMPILER_VERSION = 'typst 0.14.2'
