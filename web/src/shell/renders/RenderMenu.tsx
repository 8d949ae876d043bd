import { Button, Menu } from '@mantine/core'
import type { ReactElement } from 'react'
import { FORMAT_LABELS, FORMATS, type RenderFormat } from '../../domain/reports/report-words.tsx'
import { DropdownMenu } from '../../ui/dialogs/DropdownMenu.tsx'
import { IconDownload } from '../../ui/icons.tsx'
import { IconChevronDown } from '../../ui/page-icons.tsx'
import { toastWith } from '../../ui/toasts/toast.ts'
import { useOrganization } from '../context/organization.tsx'
import { EndedToast } from './EndedToast.tsx'
import classes from './renders.module.css'
import { fileOf, type Render, type Rendered, startRender, useRenders } from './renders.ts'

const HINTS: Record<RenderFormat, string> = {
  pdf: 'With a watermark until it is delivered',
  docx: 'In the Word template of the report',
  html: 'One file with its images',
  markdown: 'A ZIP with the images',
  json: 'All data of the report',
  sarif: 'The findings, for code scanning tools',
}

/** Milliseconds for which the toast of a finished render is shown on another page. */
const TOAST_MS = 30_000

interface RenderMenuProps {
  of: Rendered
  /** Called before a render starts, such as to save what was typed. */
  onStart?: () => Promise<void>
}

/** Renders a report or a finding, and downloads the file once it exists. The page can be left meanwhile. */
export const RenderMenu = ({ of, onStart }: RenderMenuProps) => {
  const render = useStartRender(of, onStart)
  const isBusy = useRenders().some((one) => one.of.id === of.id && !one.finished && one.error === undefined)
  return (
    <Formats
      onChoose={render}
      target={
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
          data-busy={isBusy || undefined}
        >
          Render
        </Button>
      }
    />
  )
}

const Formats = ({ target, onChoose }: { target: ReactElement; onChoose: (format: RenderFormat) => void }) => (
  <DropdownMenu position="bottom-end" width={300} target={target}>
    {FORMATS.map((format) => (
      <Menu.Item key={format} onClick={() => onChoose(format)}>
        {FORMAT_LABELS[format]}
        <span className={classes.hint}>{HINTS[format]}</span>
      </Menu.Item>
    ))}
  </DropdownMenu>
)

const useStartRender = (of: Rendered, onStart?: () => Promise<void>) => {
  const { id } = useOrganization()
  return (format: RenderFormat) => {
    const { pathname } = window.location
    const onEnded = (render: Render) => {
      const address = fileOf(render)
      // On its own page, the line of the render says how it ended.
      if (window.location.pathname === pathname) {
        if (address !== undefined) download(address)
        return
      }
      const hide = toastWith(<EndedToast render={render} onDone={() => hide()} />, TOAST_MS)
    }
    void (onStart?.() ?? Promise.resolve()).then(() => startRender(id, of, format, onEnded))
  }
}

const download = (address: string): void => {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}
