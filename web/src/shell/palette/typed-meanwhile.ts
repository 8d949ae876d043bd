/** What was typed before the palette was loaded. */
export interface TypedMeanwhile {
  text: string
  /** Enter was pressed after the text. */
  isEntered: boolean
}

export const NOTHING_TYPED: TypedMeanwhile = { text: '', isEntered: false }

/** @param key as in `KeyboardEvent.key` */
export const withKey = (typed: TypedMeanwhile, key: string): TypedMeanwhile => {
  if (typed.isEntered) return typed
  if (key === 'Enter') return { ...typed, isEntered: true }
  if (key === 'Backspace') return { ...typed, text: typed.text.slice(0, -1) }
  return key.length === 1 ? { ...typed, text: typed.text + key } : typed
}
