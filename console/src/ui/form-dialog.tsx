import { Button, Group, Modal, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError } from '../api/client.ts'
import type { Permission } from '../session/session.ts'
import { ActionButton } from './action-button.tsx'
import { CopyField } from './copy-field.tsx'
import { FormError } from './notices.tsx'

/** Sends a form, once at a time, and keeps why it was refused. */
export function useSubmit(send: () => unknown) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    // A dialog may stand in another form.
    event?.stopPropagation()
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
  return { submit, isBusy, error }
}

interface DialogFormProps {
  /** What it does, on its button. */
  action: ReactNode
  /** What it needs, and why it cannot be done now. */
  needs?: Permission
  blockedBy?: string | undefined
  /** It cannot be taken back. */
  isDangerous?: boolean
  /** Sends it, tells the success, and closes the dialog. It stays open where this throws. */
  onSubmit: () => unknown
  onClose: () => void
  /** The fields, with what the service says of each. */
  children: ReactNode | ((errorOf: (field: string) => string | undefined) => ReactNode)
}

/** A form in a dialog. What is wrong with no field stands below all of them. */
export function DialogForm(props: DialogFormProps) {
  const { action, needs, blockedBy, isDangerous, onClose, children } = props
  const { submit, isBusy, error } = useSubmit(props.onSubmit)
  const shown: string[] = []
  const errorOf = (field: string) => {
    shown.push(field)
    return error instanceof ApiError ? error.errors[field]?.join(' ') : undefined
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {typeof children === 'function' ? children(errorOf) : children}
        <FormError error={error} fields={shown} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus={isDangerous}>
            Cancel
          </Button>
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

interface FormDialogProps extends DialogFormProps {
  title: ReactNode
  size?: 'lg'
}

export function FormDialog({ title, size, ...form }: FormDialogProps) {
  return (
    <Modal opened onClose={form.onClose} title={title} {...(size && { size })}>
      <DialogForm {...form} />
    </Modal>
  )
}

interface ShownOnceProps {
  label: string
  value: string
  /** What it is for, and that it is shown only now. */
  children: ReactNode
  onClose: () => void
}

/** The end of a dialog that made a secret: it is shown here and never again. */
export function ShownOnce({ label, value, children, onClose }: ShownOnceProps) {
  return (
    <Stack role="status">
      {children}
      <CopyField label={label} value={value} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
