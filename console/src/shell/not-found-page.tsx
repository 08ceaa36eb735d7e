import { Text } from '@mantine/core'
import { t } from '../languages/text.ts'
import { EntranceFrame } from '../ui/entrance-frame.tsx'
import { LinkButton } from '../ui/link.tsx'

export function NotFoundPage() {
  return (
    <EntranceFrame title={t('Page not found')}>
      <Text size="sm">
        {t(
          'There is no page at this address. It may be mistyped, or from another version of the console.',
        )}
      </Text>
      <LinkButton to="/">{t('Go to the overview')}</LinkButton>
    </EntranceFrame>
  )
}
