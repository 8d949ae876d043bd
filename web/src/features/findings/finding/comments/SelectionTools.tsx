import { Button } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'
import { IconMessage, IconPencil } from '../../../../ui/page-icons.tsx'
import classes from './comments.module.css'
import { selectedIn } from './text-ranges.ts'

interface SelectionToolsProps {
  texts: RefObject<HTMLElement | null>
  onComment: () => void
  onSuggest: () => void
}

/** Buttons above selected words. */
export const SelectionTools = ({ texts, onComment, onSuggest }: SelectionToolsProps) => {
  const [place, setPlace] = useState<{ left: number; top: number }>()
  useEffect(() => {
    const look = () => {
      const element = texts.current
      const range = element ? selectedIn(element)?.range : undefined
      const first = range?.getClientRects()[0]
      if (!element || !first) return setPlace(undefined)
      const frame = element.getBoundingClientRect()
      return setPlace({
        left: Math.max(0, Math.min(first.left - frame.left, frame.width - WIDTH_PX)),
        top: first.top - frame.top,
      })
    }
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [texts])
  if (!place) return null
  return (
    // The buttons must not take the selection.
    <div
      className={classes.tools}
      style={place}
      role="toolbar"
      tabIndex={-1}
      aria-label="Selected words"
      onMouseDown={(event) => event.preventDefault()}
    >
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconMessage size={14} aria-hidden />}
        onClick={onComment}
      >
        Comment
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconPencil size={14} aria-hidden />}
        onClick={onSuggest}
      >
        Suggest a change
      </Button>
    </div>
  )
}

/** Of both buttons. */
const WIDTH_PX = 270
