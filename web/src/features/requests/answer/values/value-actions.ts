import { createContext } from 'react'
import type { JsonValue } from './json-text.ts'

/** What the request on the page does with a value of its response. */
export interface ValueActions {
  capture: (value: JsonValue) => void
  assert: (value: JsonValue) => void
}

/** Undefined where no request is open, as in the page of a run. */
export const ValueActionsContext = createContext<ValueActions | undefined>(undefined)
