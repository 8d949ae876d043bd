/**
 * True if an event came from inside a match of this selector. Editors are in shadow roots: outside of one, the event
 * target is its host, which does not show that the user is typing.
 */
export const isWithin = (event: Event, selector: string): boolean =>
  event.composedPath().some((node) => node instanceof Element && node.matches(selector))
