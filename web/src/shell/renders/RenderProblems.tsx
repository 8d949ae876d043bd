import { Button } from '@mantine/core'
import type { Output } from '@sortie/client/calls.ts'
import { useState } from 'react'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import classes from './renders.module.css'

interface RenderProblemsProps {
  /** Such as `PDF`. */
  name: string
  problems: Output<'getReportRender'>['data']['problems']
}

/** A button with the number of problems of a file, which lists them. Nothing without one. */
export const RenderProblems = ({ name, problems }: RenderProblemsProps) => {
  const [isOpen, setOpen] = useState(false)
  if (problems.length === 0) return null
  return (
    <>
      <Button variant="subtle" size="compact-xs" onClick={() => setOpen(true)}>
        {problems.length === 1 ? '1 problem' : `${problems.length} problems`}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={`Problems of the ${name} file`}>
        <ul className={classes.problems}>
          {problems.map(({ level, message, where }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- problems have no id
            <li key={index} data-level={level}>
              {message}
              {where !== null && <code>{where}</code>}
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
