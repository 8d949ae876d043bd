import { Kbd, Title } from '@mantine/core'
import type { Command } from '../../ui/commands/commands.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import classes from './KeySheet.module.css'

/** Shortcut sheet: every key that works on the open page. */
export const KeySheet = ({ onClose, commands }: { onClose: () => void; commands: readonly Command[] }) => {
  const withKeys = commands.filter(({ shortcut }) => shortcut !== undefined)
  const groups = [...new Set(withKeys.map(({ group }) => group))]
  return (
    <Dialog opened onClose={onClose} title="Keyboard shortcuts" size="md">
      {groups.map((group) => (
        <section key={group} className={classes.group}>
          <Title order={3}>{group}</Title>
          <dl className={classes.keys}>
            {withKeys
              .filter((command) => command.group === group)
              .map(({ id, label, shortcut = '' }) => (
                <div key={id}>
                  <dt>{label}</dt>
                  <dd>
                    {shortcut.split(' ').map((key) => (
                      <Kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
