import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import type { PermissionName } from '../../../session/permissions.ts'
import { DraftNotice, useDraft } from '../../../ui/draft.tsx'
import { ErrorNotice } from '../../../ui/notices.tsx'
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
    <Modal opened={opened} onClose={onClose} title="Invite a member">
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
    onSuccess: ({ data }) => {
      draft.forget()
      setDone(data.email)
    },
    onError: ({ errors }) => form.setErrors(errors),
  })
  if (done !== undefined) {
    return <InvitationLink invited={{ email: done, newOrganization: null }} onClose={onClose} />
  }
  const hasOwnPlace = add.error && Object.keys(add.error.errors).length > 0
  const submit = form.onSubmit(({ email, permissions, group }) =>
    add.mutate({
      body: {
        email,
        permissions,
        group: group === null ? null : Number(group),
      },
    }),
  )
  return (
    <form onSubmit={submit}>
      <Stack>
        <DraftNotice draft={draft} onStartOver={form.setValues} />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <PermissionsField
          value={form.values.permissions}
          onChange={(permissions) => form.setFieldValue('permissions', permissions)}
        />
        <GroupField description={limitOfMember} {...form.getInputProps('group')} />
        {add.error && !hasOwnPlace && <ErrorNotice error={add.error} />}
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              draft.forget()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" loading={add.isPending}>
            Invite
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
