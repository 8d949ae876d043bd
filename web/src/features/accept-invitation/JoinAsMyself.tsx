import { Button } from '@mantine/core'
import { messageOf } from '../../api/api.ts'
import { FormError } from '../../ui/fields/FormError.tsx'
import { CenteredPage } from '../../ui/page/CenteredPage.tsx'
import type { Invited } from './invited.ts'
import { asRole, useAccept } from './use-accept.ts'

export const JoinAsMyself = ({ token, invitation }: { token: string; invitation: Invited }) => {
  const accept = useAccept()
  return (
    <CenteredPage
      title={`Join ${invitation.organizationName}`}
      description={`You are invited as ${asRole(invitation.role)}, and signed in as ${invitation.email}.`}
    >
      <FormError message={accept.error ? messageOf(accept.error) : undefined} />
      <Button size="sm" loading={accept.isPending} onClick={() => accept.mutate({ body: { token } })}>
        Accept the invitation
      </Button>
    </CenteredPage>
  )
}
