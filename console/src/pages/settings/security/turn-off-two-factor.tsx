import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiError, call } from '../../../api/client.ts'
import { refreshSession } from '../../../session/session.ts'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'

interface TurnOffProps {
  opened: boolean
  onClose: () => void
}

/** Asks for the password, and turns two-factor off. */
export function TurnOffTwoFactor({ opened, onClose }: TurnOffProps) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const close = () => {
    setPassword('')
    setProblem(undefined)
    onClose()
  }
  const turnOff = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { token_2fa } = await call('POST /confirm-password-access', { body: { password } })
      const body = { token: token_2fa, auth_type: 'authenticator' } as const
      await call('POST /disable-authentication', { body })
      await refreshSession()
      tellSuccess('Two-factor is off. Your other sessions have ended.')
      close()
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const ownPlace = problem instanceof ApiError ? problem.errors.password?.[0] : undefined
  return (
    <Modal opened={opened} onClose={close} title="Turn two-factor off?">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void turnOff()
        }}
      >
        <Stack gap="sm">
          <Text size="sm">
            You will log in with only your password. Your recovery codes stop working, and your
            other sessions end.
          </Text>
          {problem !== undefined && !ownPlace && <ErrorNotice error={problem} />}
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            data-autofocus
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={ownPlace}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={isBusy}>
              Turn off
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
