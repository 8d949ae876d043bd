import { type Ref, useLayoutEffect } from 'react'

interface AnchorProps {
  /** The button that is on the page already. */
  element: HTMLElement
  /** Given by Mantine, which places the overlay at what is passed to it. */
  ref?: Ref<HTMLElement>
  id?: string
  'aria-controls'?: string | undefined
}

/** Target of an overlay that is loaded after its button: renders nothing, and the overlay is placed at the button. */
export const Anchor = ({ element, ref, id, 'aria-controls': controls }: AnchorProps) => {
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(element)
    return () => {
      if (typeof ref === 'function') ref(null)
    }
  }, [ref, element])
  useLayoutEffect(() => {
    if (id === undefined) return undefined
    const own = element.id
    element.setAttribute('id', id)
    return () => element.setAttribute('id', own)
  }, [element, id])
  useLayoutEffect(() => {
    if (controls === undefined) return undefined
    element.setAttribute('aria-controls', controls)
    return () => element.removeAttribute('aria-controls')
  }, [element, controls])
  return null
}
