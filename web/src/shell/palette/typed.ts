/** What was typed before the palette was loaded. */
export interface Typed {
  text: string
  /** Enter was pressed after the text. */
  isEntered: boolean
}
