import { Text } from '@mantine/core'
import { joinTags } from '../../../server/src/lora/tag-filter.ts'
import { t } from '../languages/text.ts'
import { Link } from '../ui/link.tsx'
import { type Tags, textsOf } from './tag-text.ts'
import classes from './tags.module.css'

interface TagListProps {
  tags: Tags
  /** The list that a tag opens, filtered by it. */
  to: '/devices' | '/gateways'
}

export function TagList({ tags, to }: TagListProps) {
  const texts = textsOf(tags)
  if (texts.length === 0) {
    return (
      <Text span inherit c="dimmed">
        {t('none')}
      </Text>
    )
  }
  return (
    <ul className={classes.tags}>
      {texts.map((text) => (
        <li key={text} className={classes.tag}>
          <Link
            to={to}
            search={{ tag: joinTags([text]) }}
            inherit
            title={t('All with {text}', { text })}
          >
            {text.replace(':', ': ')}
          </Link>
        </li>
      ))}
    </ul>
  )
}
