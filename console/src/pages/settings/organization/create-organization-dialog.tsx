import { Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { refreshSession, useSession } from '../../../session/session.ts'
import { Form } from '../../../ui/form.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import { InvitationLink, type Invited } from '../members/invitation-link.tsx'

interface CreateOrganizationDialogProps {
  opened: boolean
  onClose: () => void
}

/** Makes a child of the organization, for the user or for somebody else. */
export function CreateOrganizationDialog({ opened, onClose }: CreateOrganizationDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={t('New child organization')}>
      <CreateForm onClose={onClose} />
    </Modal>
  )
}

const initialValues = {
  name: '',
  owner: 'me' as 'me' | 'other',
  email: '',
}
type Values = typeof initialValues

function CreateForm({ onClose }: { onClose: () => void }) {
  const { user } = useSession().session
  const [done, setDone] = useState<Invited>()
  const form = useForm({ initialValues })
  const create = useAction('POST /organizations', {
    invalidates: ['GET /organization/invitations'],
  })
  if (done) return <InvitationLink invited={done} onClose={onClose} />
  const send = async () => {
    const { data } = await create.mutateAsync({ body: bodyOf(form.values, user.email) })
    const { name } = form.values
    if ('status' in data) return setDone({ email: data.email, newOrganization: name })
    tellSuccess(t('{name} is made.', { name }))
    void refreshSession()
    onClose()
  }
  return (
    <Form action={t('Create')} onSubmit={send} onClose={onClose}>
      {(errorOf) => (
        <>
          <TextInput
            label={t('Name')}
            required
            data-autofocus
            {...form.getInputProps('name')}
            error={errorOf('name')}
          />
          <Radio.Group label={t('Owner')} {...form.getInputProps('owner')}>
            <Stack gap="xs" mt="xs">
              <Radio value="me" label={t('Me ({email})', { email: user.email })} />
              <Radio value="other" label={t('Somebody else')} />
            </Stack>
          </Radio.Group>
          {form.values.owner === 'other' && (
            <TextInput
              label={t('E-mail of the owner')}
              type="email"
              autoComplete="off"
              required
              {...form.getInputProps('email')}
              error={errorOf('owner.email')}
            />
          )}
        </>
      )}
    </Form>
  )
}

function bodyOf({ name, owner, email }: Values, ownEmail: string) {
  return { name, owner: { email: owner === 'me' ? ownEmail : email } }
}
