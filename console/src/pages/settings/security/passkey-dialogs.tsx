import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { startRegistration } from '@simplewebauthn/browser'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { keyOf, queryClient, useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { refreshSession, useSession } from '../../../session/session.ts'
import { CodeSheet, KeepButtons } from '../../../session/two-factor/keep-codes-step.tsx'
import { Form } from '../../../ui/form.tsx'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tellSuccess } from '../../../ui/notices.tsx'
import type { Passkey } from './passkeys-section.tsx'
import { PasswordDialog, proveWith } from './password-dialog.tsx'

interface DialogProps {
  passkey: Passkey
  onClose: () => void
}

type Options = Parameters<typeof startRegistration>[0]['optionsJSON']

async function showChange(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: keyOf('GET /user/passkeys') })
  await refreshSession()
}

/** Makes a passkey. Who had no two-factor is shown recovery codes, this once. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>()
  const { email } = useSession().session.user
  const onAdded = async (made: string[] | null) => {
    await showChange()
    if (made) return setCodes(made)
    tellSuccess(t('The passkey is added. Your other sessions have ended.'))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={codes ? t('Recovery codes') : t('Add a passkey')}>
      {codes ? (
        <Stack gap="sm">
          <Text size="sm">
            {t(
              'Two-factor is on. Without your passkeys, each of these codes lets you in once. They are shown now and never again: keep them on paper or in a password manager.',
            )}
          </Text>
          <CodeSheet codes={codes} email={email} />
          <KeepButtons codes={codes} email={email} />
          <Group justify="flex-end">
            <Button onClick={onClose}>{t('I have kept them')}</Button>
          </Group>
        </Stack>
      ) : (
        <AddForm onAdded={onAdded} onClose={onClose} />
      )}
    </Modal>
  )
}

interface AddFormProps {
  onAdded: (codes: string[] | null) => Promise<void>
  onClose: () => void
}

function AddForm({ onAdded, onClose }: AddFormProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const add = async () => {
    const token = await proveWith(password)
    const { data } = await call('POST /user/passkeys/options', { body: { token } })
    const optionsJSON = data.publicKey as unknown as Options
    const credential = await startRegistration({ optionsJSON }).catch((error: unknown) => {
      throw new Error(wordsOf(error))
    })
    const body = { token, name, credential: { ...credential, type: 'public-key' as const } }
    const { recovery_codes } = await call('POST /user/passkeys', {
      body: body as never,
    })
    await onAdded(recovery_codes)
  }
  return (
    <Form action={t('Add')} onSubmit={add} onClose={onClose}>
      {(errorOf) => (
        <>
          <TextInput
            label={t('Name')}
            description={t('By which you will know it, such as Phone')}
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errorOf('name')}
          />
          <PasswordInput
            label={t('Current password')}
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={errorOf('password')}
          />
        </>
      )}
    </Form>
  )
}

function wordsOf(error: unknown): string {
  const isKnown = error instanceof Error && error.name === 'InvalidStateError'
  return isKnown
    ? t('This device or key has a passkey of yours already.')
    : t('No passkey was made. Try again.')
}

export function RenamePasskey({ passkey, onClose }: DialogProps) {
  const [name, setName] = useState(passkey.name)
  const change = useAction('PATCH /user/passkeys/{passkey_id}', {
    invalidates: ['GET /user/passkeys'],
  })
  const send = async () => {
    await change.mutateAsync({ path: { passkey_id: String(passkey.id) }, body: { name } })
    onClose()
  }
  return (
    <FormDialog
      title={t('Rename the passkey')}
      action={t('Save')}
      onSubmit={send}
      onClose={onClose}
    >
      {(errorOf) => (
        <TextInput
          label={t('Name')}
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorOf('name')}
        />
      )}
    </FormDialog>
  )
}

export function RemovePasskey({ passkey, onClose }: DialogProps) {
  const { user } = useSession().session
  const isLast = user.passkeys === 1 && !user.authenticator
  const remove = async (token: string) => {
    await call('DELETE /user/passkeys/{passkey_id}', {
      path: { passkey_id: String(passkey.id) },
      body: { token },
    })
    await showChange()
    tellSuccess(t('The passkey is removed. Your other sessions have ended.'))
  }
  return (
    <PasswordDialog
      title={t('Remove {name}?', { name: passkey.name })}
      action={t('Remove')}
      text={
        isLast
          ? t(
              'It is your only second factor: two-factor is off then, and your recovery codes stop working.',
            )
          : t('It no longer logs you in. Remove it also where it is kept.')
      }
      onProved={remove}
      onClose={onClose}
    />
  )
}
