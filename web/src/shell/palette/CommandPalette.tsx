import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { lazyPart } from '../../ui/load-part.ts'
import { onOpenPalette } from './open-palette.ts'

const PaletteDialog = lazyPart(() => import('./PaletteDialog.tsx'), 'PaletteDialog')

/** Ctrl+K or Cmd+K: type part of a name, Enter opens it. What is typed while the palette is loaded is kept. */
export const CommandPalette = () => {
  const [opened, { open, close, toggle }] = useDisclosure(false)
  const [typed, setTyped] = useState('')
  useHotkeys([['mod+K', toggle]], [])
  useEffect(() => onOpenPalette(open), [open])
  const closeEmpty = () => {
    setTyped('')
    close()
  }
  return (
    <Suspense fallback={<TypedMeanwhile onType={(key) => setTyped((before) => before + key)} onEscape={closeEmpty} />}>
      {opened && <PaletteDialog typed={typed} onClose={closeEmpty} />}
    </Suspense>
  )
}

/** Takes the keys that are meant for the palette; the page must not run them as commands. */
const TypedMeanwhile = ({ onType, onEscape }: { onType: (key: string) => void; onEscape: () => void }) => {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Escape') onEscape()
      else if (event.key.length === 1) onType(event.key)
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  })
  return null
}
