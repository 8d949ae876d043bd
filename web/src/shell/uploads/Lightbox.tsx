import { Anchor, Button, Group, Text } from '@mantine/core'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { IconArrowLeft } from '../../ui/icons.tsx'
import type { AttachedFile } from './attached-file.ts'
import classes from './uploads.module.css'

interface LightboxProps {
  pictures: readonly AttachedFile[]
  addressOf: (fileId: string) => string
  openedId: string | undefined
  onOpen: (id: string | undefined) => void
}

/** A picture over the page; the arrow keys lead to the others. */
export const Lightbox = ({ pictures, addressOf, openedId, onOpen }: LightboxProps) => {
  const index = pictures.findIndex(({ id }) => id === openedId)
  const opened = pictures[index]
  const go = (by: number) => onOpen(pictures[(index + by + pictures.length) % pictures.length]?.id)
  return (
    <Dialog opened={opened !== undefined} onClose={() => onOpen(undefined)} title={opened?.fileName ?? ''} size="xl">
      {opened && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the buttons in it do the same
        <div
          onKeyDown={({ key }) => {
            if (key === 'ArrowRight') go(1)
            if (key === 'ArrowLeft') go(-1)
          }}
        >
          <img src={addressOf(opened.id)} alt={opened.caption || opened.fileName} className={classes.picture} />
          {opened.caption && (
            <Text size="sm" ta="center" mt="xs">
              {opened.caption}
            </Text>
          )}
          <Group justify="space-between" mt="sm">
            <Anchor href={addressOf(opened.id)} download={opened.fileName} size="sm">
              Download
            </Anchor>
            {pictures.length > 1 && (
              <Group gap="xs">
                <Button variant="default" leftSection={<IconArrowLeft size={14} aria-hidden />} onClick={() => go(-1)}>
                  Previous
                </Button>
                <Button variant="default" onClick={() => go(1)} data-autofocus>
                  Next
                </Button>
              </Group>
            )}
          </Group>
        </div>
      )}
    </Dialog>
  )
}
