import { Alert, Button, Paper, PasswordInput, Stack, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/client.ts'
import { logIn } from '../../session/session.ts'

export function LoginPage() {
  const navigate = useNavigate()
  const { next } = useSearch({ from: '/login' })
  const [problem, setProblem] = useState<string>()
  const form = useForm({ initialValues: { email: '', password: '' } })
  const submit = form.onSubmit(async (values) => {
    setProblem(undefined)
    try {
      const isIn = await logIn(values)
      if (isIn) await navigate({ href: next ?? '/' })
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : String(error))
    }
  })
  return (
    <Paper component="main" maw={380} mx="auto" mt="12vh" p="xl" withBorder>
      <form onSubmit={submit}>
        <Stack>
          <Title order={1} size="h3">
            LoRa fleet console
          </Title>
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit">Log in</Button>
        </Stack>
      </form>
    </Paper>
  )
}
