import { useEffect, useRef } from 'react'

/** Calls back after a render in which the value, compared as JSON, has changed. Not on the first render. */
export const useOnChange = (value: unknown, onChange: () => void): void => {
  const text = JSON.stringify(value)
  const last = useRef(text)
  useEffect(() => {
    if (last.current === text) return
    last.current = text
    onChange()
  })
}
