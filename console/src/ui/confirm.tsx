import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ErrorNotice } from './notices.tsx'

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
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const close = () => {
    setProblem(undefined)
    onClose()
  }
  const confirm = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await onConfirm()
      close()
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        {problem !== undefined && <ErrorNotice error={problem} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isBusy} onClick={confirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
