import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { t } from '../languages/text.ts'
import type { Permission } from '../session/session.ts'
import { ActionButton } from './action-button.tsx'
import { FormError } from './notices.tsx'

/** What the service says of a field, by any of its names; entries of a list (`networks.0`) belong to it. */
export type ErrorOf = (...names: string[]) => string | undefined

/**
 * Sends a form, once at a time, keeps why it was refused, and goes to the first field that is wrong.
 * `rest` is what no field has shown: it stands below them (`FormError`).
 */
export function useSubmit(send: () => unknown) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const form = useRef<HTMLElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  const submit = async (event?: FormEvent<HTMLElement>) => {
    event?.preventDefault()
    // A dialog may stand in another form.
    event?.stopPropagation()
    form.current = event?.currentTarget ?? null
    setBusy(true)
    setError(undefined)
    try {
      await send()
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  const shown: string[] = []
  const errorOf: ErrorOf = (...names) => {
    if (!(error instanceof ApiError)) return undefined
    const found = Object.entries(error.errors).filter(
      ([name]) => names.includes(name.replace(/\.\d+$/, '')) || names.includes(name),
    )
    shown.push(...found.map(([name]) => name))
    return found.flatMap(([, messages]) => messages).join(' ') || undefined
  }
  const forget = () => setError(undefined)
  return { submit, isBusy, error, errorOf, forget, rest: { error, fields: shown } }
}

export interface FormProps {
  /** What it does, on its button. */
  action: ReactNode
  /** What it needs, and why it cannot be done now. */
  needs?: Permission
  blockedBy?: string | undefined
  /** It cannot be taken back. */
  isDangerous?: boolean
  /** Sends it, and tells the success. Where this throws, the form shows why. */
  onSubmit: () => unknown
  /** Leaves it without sending: a dialog has a button for it. */
  onClose?: () => void
  /** The words of that button. */
  leave?: string
  /** The service names all that is wrong; the browser would name one field after the other. */
  noValidate?: boolean
  /** The fields, with what the service says of each. */
  children: ReactNode | ((errorOf: ErrorOf) => ReactNode)
}

/** A form. What is wrong with no field stands below all of them. */
export function Form(props: FormProps) {
  const { action, needs, blockedBy, isDangerous, onClose, leave = t('Cancel'), children } = props
  const { submit, isBusy, errorOf, rest } = useSubmit(props.onSubmit)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate={props.noValidate}>
      <Stack maw={onClose ? undefined : 400}>
        {typeof children === 'function' ? children(errorOf) : children}
        <FormError {...rest} />
        <Group justify={onClose ? 'flex-end' : undefined}>
          {onClose && (
            <Button variant="default" onClick={onClose} data-autofocus={isDangerous}>
              {leave}
            </Button>
          )}
          <ActionButton
            type="submit"
            loading={isBusy}
            {...(needs && { needs })}
            {...(isDangerous && { color: 'red' })}
            blockedBy={blockedBy}
          >
            {action}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}
