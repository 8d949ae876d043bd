/**
 * Whether an event came from within what this selector finds. Editors live in shadow roots: outside of one, the target of an
 * event is its host, and nothing says that somebody types.
 */
export const isWithin = (event: Event, selector: string): boolean => event.composedPath().some((node) => node instanceof Element && node.matches(selector))
