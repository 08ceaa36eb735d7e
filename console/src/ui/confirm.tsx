import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormDialog } from './form-dialog.tsx'

interface ConfirmProps {
  opened: boolean
  title: string
  /** What happens, and what cannot be taken back. */
  children: ReactNode
  /** The verb on the button, such as "Delete 3 devices". */
  action: string
  onConfirm: () => Promise<unknown> | unknown
  onClose: () => void
}

/** Asks before something that cannot be taken back. It stays open and says why when it fails. */
export function Confirm({ opened, title, children, action, onConfirm, onClose }: ConfirmProps) {
  const confirm = async () => {
    await onConfirm()
    onClose()
  }
  if (!opened) return null
  return (
    <FormDialog title={title} action={action} isDangerous onSubmit={confirm} onClose={onClose}>
      <Text size="sm" component="div">
        {children}
      </Text>
    </FormDialog>
  )
}
