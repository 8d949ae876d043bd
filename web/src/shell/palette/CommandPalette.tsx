import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { lazyPart } from '../../ui/load-part.ts'
import { onOpenPalette } from './open-palette.ts'
import { NOTHING_TYPED, withKey } from './typed-meanwhile.ts'

const PaletteDialog = lazyPart(() => import('./PaletteDialog.tsx'), 'PaletteDialog')

/** Ctrl+K or Cmd+K: type part of a name, Enter opens it. What is typed while the palette is loaded is kept. */
export const CommandPalette = () => {
  const [opened, { open, close, toggle }] = useDisclosure(false)
  const [typed, setTyped] = useState(NOTHING_TYPED)
  useHotkeys([['mod+K', toggle]], [])
  useEffect(() => onOpenPalette(open), [open])
  const closeEmpty = () => {
    setTyped(NOTHING_TYPED)
    close()
  }
  return (
    <Suspense
      fallback={<KeysMeanwhile onKey={(key) => setTyped((before) => withKey(before, key))} onEscape={closeEmpty} />}
    >
      {opened && <PaletteDialog typed={typed} onClose={closeEmpty} />}
    </Suspense>
  )
}

/** Takes the keys that are meant for the palette; the page must not run them as commands. */
const KeysMeanwhile = ({ onKey, onEscape }: { onKey: (key: string) => void; onEscape: () => void }) => {
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
