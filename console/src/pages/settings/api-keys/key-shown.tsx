import { Code, Text } from '@mantine/core'
import { rich, t } from '../../../languages/text.ts'
import { ShownOnce } from '../../../ui/form-dialog.tsx'

export function KeyShown({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <ShownOnce label={t('API key')} value={value} onClose={onClose}>
      <Text size="sm">
        {rich(
          'Your program sends this key with each request, as {code}. It is shown only now: put it where the program keeps its secrets.',
          { code: <Code>{t('Authorization: Bearer')}</Code> },
        )}
      </Text>
    </ShownOnce>
  )
}
