import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useSend } from '../../../api/use-send.ts'
import { DraftDialogForm } from '../../../forms/Form.tsx'
import { useDraftForm } from '../../../forms/use-draft-form.ts'
import { paths } from '../../../paths.ts'
import { useEngagement } from '../../../shell/context/engagement.tsx'
import { useOrganization } from '../../../shell/context/organization.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import { Section } from '../../../ui/page/Page.tsx'
import { settings as route } from '../engagements.routes.ts'

/** Starts a retest; archived engagements can be cloned too. */
export const CloneSection = () => {
  const { clone = false } = route.useSearch()
  const navigate = route.useNavigate()
  const setCloning = (wanted: boolean) => navigate({ search: wanted ? { clone: true } : {}, replace: true })
  return (
    <Section
      title="Clone"
      description="A new engagement with a copy of this one's content, for a retest or a similar job."
      actions={
        <Button variant="default" onClick={() => void setCloning(true)}>
          Clone the engagement
        </Button>
      }
    >
      <Dialog opened={clone} onClose={() => void setCloning(false)} title="Clone the engagement" size="lg">
        <CloneForm onClose={() => setCloning(false)} />
      </Dialog>
    </Section>
  )
}

const PARTS = [
  ['details', 'Description, client, dates, hours and contacts'],
  ['scope', 'Scope rules'],
  ['targets', 'Targets'],
  ['vulnerabilities', 'Open, confirmed and accepted vulnerabilities, with evidence'],
  ['tasks', 'Tasks, as open ones'],
  ['wiki', 'Wiki pages'],
  ['requests', 'Saved requests, without secrets'],
] as const

type Part = (typeof PARTS)[number][0]

const CloneForm = ({ onClose }: { onClose: () => Promise<void> }) => {
  const organization = useOrganization()
  const { engagement } = useEngagement()
  const router = useRouter()
  const send = useSend(organization.id, 'cloneEngagement', [
    [organization.id, 'listEngagements'],
    [organization.id, 'listEngagementSummaries'],
  ])
  const form = useDraftForm({
    draft: `engagement/${engagement.id}/clone`,
    saved: {
      values: {
        name: `${engagement.name} retest`.slice(0, 200),
        include: ['details', 'scope', 'targets', 'vulnerabilities'] as Part[],
      },
    },
    send: (body) => send({ params: { engagementId: engagement.id }, body }),
    onSaved: async ({ data }) => {
      await onClose()
      await router.navigate({ href: paths.engagement(organization.slug, data.id) })
    },
  })
  return (
    <DraftDialogForm
      form={form}
      submitLabel="Clone engagement"
      onCancel={() => void onClose()}
      disabled={!form.values.name.trim()}
    >
      <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <Checkbox.Group
        label="Include"
        description="Visibility, lead and team are always copied. Scans, imports and other results are not."
        {...form.getInputProps('include')}
      >
        <Stack gap={6} mt={6}>
          {PARTS.map(([part, label]) => (
            <Checkbox key={part} value={part} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
    </DraftDialogForm>
  )
}
