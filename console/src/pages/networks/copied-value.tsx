import { Button, Text } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { t } from '../../languages/text.ts'
import classes from './networks.module.css'

/** A value to enter elsewhere, with a button that copies it. */
export function CopiedValue({ label, value }: { label: string; value: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  const Icon = clipboard.copied ? IconCheck : IconCopy
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <div className={classes.copied}>
        <code>{value}</code>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon size={14} aria-hidden />}
          aria-label={t('Copy {label}', { label })}
          onClick={() => clipboard.copy(value)}
        >
          {clipboard.copied ? t('Copied') : t('Copy')}
        </Button>
      </div>
    </div>
  )
}
