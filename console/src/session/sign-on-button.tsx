import { Button, Divider } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { t } from '../languages/text.ts'
import { keepsDialogsBelow, LoginProblem } from './login-form.tsx'

const nextKey = 'sign-on-next'

/** Leads to the provider of single sign-on, if there is one, and from there to the page `next`. */
export function SignOnButton({ next }: { next: string }) {
  const { data } = useQuery({
    queryKey: ['sign-on'],
    queryFn: () => call('GET /auth/sign-on', {}, { isAnonymous: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const name = data?.data.name
  if (!name) return null
  const leave = async () => {
    setIsBusy(true)
    setError(undefined)
    try {
      const { data: begun } = await call('POST /auth/sign-on', {}, { isAnonymous: true })
      sessionStorage.setItem(nextKey, next)
      location.assign(begun.url)
    } catch (problem) {
      setError(problem)
      setIsBusy(false)
    }
  }
  return (
    <>
      <Divider label={t('or')} />
      {error !== undefined && <LoginProblem error={error} />}
      <Button
        type="button"
        variant="default"
        loading={isBusy}
        onClick={() => void leave()}
        {...keepsDialogsBelow}
      >
        {t('Log in with {name}', { name })}
      </Button>
    </>
  )
}

/** The page that was asked for before the sign-on; asked once. */
export function takeNext(): string | undefined {
  const next = sessionStorage.getItem(nextKey) ?? undefined
  sessionStorage.removeItem(nextKey)
  return next
}
