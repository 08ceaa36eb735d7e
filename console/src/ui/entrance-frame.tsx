import { Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { LanguageSelect } from '../languages/language-select.tsx'
import { t } from '../languages/text.ts'
import classes from './entrance-frame.module.css'
import { WordMark } from './word-mark.tsx'

interface EntranceFrameProps {
  title: string
  /** Another page was asked for and comes after the login. */
  isWaitingFor?: boolean
  children: ReactNode
}

/** The frame of the pages that need no login. */
export function EntranceFrame({ title, isWaitingFor = false, children }: EntranceFrameProps) {
  useEffect(() => {
    document.title = t('{title} · LoRa fleet console', { title })
  }, [title])
  return (
    <main className={classes.frame}>
      <Paper className={classes.paper} withBorder>
        <Stack gap="md">
          <div>
            <Text component="div" mb="md">
              <WordMark />
            </Text>
            <Title order={1}>{title}</Title>
            {isWaitingFor && (
              <Text size="sm" c="dimmed">
                {t('Log in to continue to the page you opened.')}
              </Text>
            )}
          </div>
          {children}
          <LanguageSelect />
        </Stack>
      </Paper>
    </main>
  )
}
