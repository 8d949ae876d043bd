/** A piece of code with its CSS classes. */
export interface Token {
  text: string
  classes: string
}
