import { MultiSelect, Textarea, TextInput } from '@mantine/core'
import { TARGET_KINDS } from '@sortie/contract/core/values.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { query } from '../../../api/api.ts'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { type Item, type Methodology, staleReads } from '../reads.ts'

interface ItemDialogProps {
  methodology: Methodology
  /** Absent: creates an item at the end. */
  item?: Item | undefined
  onClose: () => void
  onSaved: (key: string) => void
}

const NEW: Item = { key: '', title: '', group: '', appliesTo: [], description: '' }
const LABELS = { key: 'Key', title: 'Title', group: 'Group', appliesTo: 'Applies to', description: 'Description' }

/** Creates or edits one item. */
export const ItemDialog = (props: ItemDialogProps) => (
  <Dialog opened onClose={props.onClose} title={props.item ? 'Edit the item' : 'New item'} size="lg">
    <ItemForm {...props} />
  </Dialog>
)

const ItemForm = ({ methodology, item, onClose, onSaved }: ItemDialogProps) => {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const params = { methodologyId: methodology.id }
  const sentKey = useRef('')
  const send = useSend(id, 'updateMethodology', staleReads(id))
  const saved = (from: Methodology) => ({
    values: from.items.find(({ key }) => key === item?.key) ?? item ?? NEW,
    version: from.updatedAt,
  })
  const form = useDraftForm({
    draft: `methodology/${methodology.id}/${item ? `item/${item.key}` : 'new-item'}`,
    saved: saved(methodology),
    send: async (values, ifUpdatedAt) => {
      sentKey.current = values.key
      const current = cache.getQueryData(query(id, 'getMethodology', { params }).queryKey)?.data ?? methodology
      return send({
        params,
        body: { items: withItem(current.items, item?.key, values), ...(ifUpdatedAt && { ifUpdatedAt }) },
      })
    },
    reread: async () => saved((await cache.fetchQuery(query(id, 'getMethodology', { params }))).data),
    onSaved: () => onSaved(sentKey.current),
  })
  return (
    <DraftDialogForm
      form={form}
      labels={LABELS}
      submitLabel={item ? 'Save' : 'Add item'}
      onCancel={onClose}
      disabled={!form.values.key.trim() || !form.values.title.trim()}
    >
      <TextInput
        label="Key"
        description="Unique in the methodology; tasks name it."
        maxLength={64}
        data-autofocus
        {...form.getInputProps('key')}
      />
      <TextInput label="Title" maxLength={200} {...form.getInputProps('title')} />
      <TextInput label="Group" maxLength={100} {...form.getInputProps('group')} />
      <MultiSelect
        label="Applies to"
        description="Kinds of targets; none: once for the engagement."
        data={[...TARGET_KINDS]}
        clearable
        {...form.getInputProps('appliesTo')}
      />
      <Textarea
        label="Description"
        description="Markdown"
        autosize
        minRows={5}
        maxRows={20}
        {...form.getInputProps('description')}
      />
    </DraftDialogForm>
  )
}

/** Replaces the item with this key; appends if there is none. */
const withItem = (items: readonly Item[], key: string | undefined, item: Item): Item[] => {
  const at = items.findIndex((other) => other.key === key)
  return at < 0 ? [...items, item] : items.with(at, item)
}
