import { Modal, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import type { PermissionName } from '../../../session/permissions.ts'
import { DraftNotice, useDraft } from '../../../ui/draft.tsx'
import { Form } from '../../../ui/form.tsx'
import { GroupField, limitOfMember } from './group-field.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { PermissionsField } from './permissions-field.tsx'

interface InviteDialogProps {
  opened: boolean
  onClose: () => void
}

/** Invites a person, who needs no login yet. */
export function InviteDialog({ opened, onClose }: InviteDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={t('Invite a member')}>
      <InviteForm onClose={onClose} />
    </Modal>
  )
}

const initialValues = {
  email: '',
  permissions: [] as PermissionName[],
  group: null as string | null,
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const [done, setDone] = useState<string>()
  const draft = useDraft('invitation', initialValues)
  const form = useForm({ initialValues: draft.start, onValuesChange: draft.keep })
  const add = useAction('POST /organization/users', {
    invalidates: ['GET /organization/users', 'GET /organization/invitations'],
  })
  if (done !== undefined) {
    return <InvitationLink invited={{ email: done, newOrganization: null }} onClose={onClose} />
  }
  const { email, permissions, group } = form.values
  const send = async () => {
    const body = { email, permissions, group: group === null ? null : Number(group) }
    const { data } = await add.mutateAsync({ body })
    draft.forget()
    setDone(data.email)
  }
  const close = () => {
    draft.forget()
    onClose()
  }
  return (
    <Form action={t('Invite')} onSubmit={send} onClose={close}>
      {(errorOf) => (
        <>
          <DraftNotice draft={draft} onStartOver={form.setValues} />
          <TextInput
            label={t('E-mail')}
            type="email"
            autoComplete="off"
            required
            data-autofocus
            {...form.getInputProps('email')}
            error={errorOf('email')}
          />
          <PermissionsField
            value={permissions}
            onChange={(chosen) => form.setFieldValue('permissions', chosen)}
          />
          <GroupField description={limitOfMember} {...form.getInputProps('group')} />
        </>
      )}
    </Form>
  )
}
