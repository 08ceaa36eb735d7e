import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { ApiError, call } from '../../api/client.ts'
import { ErrorNotice } from '../../ui/notices.tsx'

interface Given {
  token: string
  /** The QR code, as SVG. */
  image: string
  secret: string
}

/** Proves the password, and gets the secret for the app. */
export function ConfirmPasswordStep({ onDone }: { onDone: (given: Given) => void }) {
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { token_2fa: token } = await call('POST /confirm-password-access', {
        body: { password },
      })
      const { qr_image, secret } = await call('POST /generate-qr-image', { body: { token } })
      onDone({ token, image: qr_image, secret })
    } catch (error) {
      setProblem(error)
      setBusy(false)
    }
  }
  const ownPlace = problem instanceof ApiError ? problem.errors.password?.[0] : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <Stack gap="sm" maw={400}>
        {problem !== undefined && !ownPlace && <ErrorNotice error={problem} />}
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={ownPlace}
        />
        <Group>
          <Button type="submit" loading={isBusy}>
            Next
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
