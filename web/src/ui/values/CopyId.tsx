import { ActionIcon, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy } from '../page-icons.tsx'
import classes from './CopyId.module.css'

/** An id on one line, cut at its end, with a button that copies all of it. */
export const CopyId = ({ id }: { id: string }) => (
  <span className={classes.id}>
    <code title={id}>{id}</code>
    <CopyButton value={id} timeout={2000}>
      {({ copied, copy }) => (
        <ActionIcon size="xs" aria-label={copied ? 'Copied' : 'Copy the id'} onClick={copy}>
          {copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
        </ActionIcon>
      )}
    </CopyButton>
  </span>
)
