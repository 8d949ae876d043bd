import { Button, Group, Stack, Text } from '@mantine/core'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'

/** @param onAnswer receives whether to discard the changes */
export const UnsavedQuestion = ({ onAnswer }: { onAnswer: (discard: boolean) => void }) => (
  <Dialog opened onClose={() => onAnswer(false)} title="Discard your changes?" size="sm" topmost>
    <Stack gap="md">
      <Text size="sm">They are not saved.</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => onAnswer(false)} data-autofocus>
          Keep editing
        </Button>
        <Button color="red" onClick={() => onAnswer(true)}>
          Discard changes
        </Button>
      </Group>
    </Stack>
  </Dialog>
)
