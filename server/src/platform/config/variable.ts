/** How a variable is read. `parse` returns the value or throws a `Wrong` that completes "NAME: ...". */
export interface Variable<T> {
  /** One sentence for docs/operating.md. */
  doc: string
  /** The text used if the variable is not set; undefined if it may be absent. */
  fallback?: string | ((read: (name: string) => string | undefined) => string)
  /** Also read from the file that NAME_FILE names, and never printed. */
  secret?: true
  required?: true
  parse: (text: string) => T
}
