import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { lazyPart } from '../../ui/load-part.ts'
import { onOpenPalette } from './open-palette.ts'
import type { Typed } from './typed.ts'

const PaletteDialog = lazyPart(() => import('./PaletteDialog.tsx'), 'PaletteDialog')

const NOTHING: Typed = { text: '', isEntered: false }

/** Ctrl+K or Cmd+K: type part of a name, Enter opens it. What is typed while the palette is loaded is kept. */
export const CommandPalette = () => {
  const [opened, { open, close, toggle }] = useDisclosure(false)
  const [typed, setTyped] = useState(NOTHING)
  useHotkeys([['mod+K', toggle]], [])
  useEffect(() => onOpenPalette(open), [open])
  const closeEmpty = () => {
    setTyped(NOTHING)
    close()
  }
  return (
    <Suspense
      fallback={<TypedMeanwhile onKey={(key) => setTyped((before) => after(before, key))} onEscape={closeEmpty} />}
    >
      {opened && <PaletteDialog typed={typed} onClose={closeEmpty} />}
    </Suspense>
  )
}

const after = (typed: Typed, key: string): Typed => {
  if (typed.isEntered) return typed
  if (key === 'Enter') return { ...typed, isEntered: true }
  if (key === 'Backspace') return { ...typed, text: typed.text.slice(0, -1) }
  return key.length === 1 ? { ...typed, text: typed.text + key } : typed
}

/** Takes the keys that are meant for the palette; the page must not run them as commands. */
const TypedMeanwhile = ({ onKey, onEscape }: { onKey: (key: string) => void; onEscape: () => void }) => {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape') onEscape()
      else onKey(event.key)
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  })
  return null
}
