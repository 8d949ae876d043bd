import { useEffect, useRef } from 'react'

/** Calls back after a rendering in which the value, compared as JSON, is another one than before. Not for the first. */
export const useOnChange = (value: unknown, onChange: () => void): void => {
  const text = JSON.stringify(value)
  const last = useRef(text)
  useEffect(() => {
    if (last.current === text) return
    last.current = text
    onChange()
  })
}
