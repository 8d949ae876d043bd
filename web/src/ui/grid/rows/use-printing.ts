import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** A printed list has at most this many rows. */
export const PRINTED_ROWS = 1_000

/** True while the browser prepares the page for printing: what is not rendered then is not on paper. */
export const usePrinting = (): boolean => {
  const [isPrinting, setPrinting] = useState(false)
  useEffect(() => {
    // The browser takes the page as it is when the listener returns.
    const begin = () => flushSync(() => setPrinting(true))
    const end = () => setPrinting(false)
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
