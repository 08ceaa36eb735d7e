import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../languages/text.ts'
import { CopyField } from './copy-field.tsx'
import { Form, type FormProps } from './form.tsx'

interface FormDialogProps extends FormProps {
  title: ReactNode
  onClose: () => void
  size?: 'lg'
}

/** A form in a dialog. */
export function FormDialog({ title, size, ...form }: FormDialogProps) {
  return (
    <Modal opened onClose={form.onClose} title={title} {...(size && { size })}>
      <Form {...form} />
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
          {t('Done')}
        </Button>
      </Group>
    </Stack>
  )
}
