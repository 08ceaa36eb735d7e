import { firstLanguage } from './languages/choice.ts'
import { loadTexts } from './languages/load.ts'
import { setLanguage } from './languages/text.ts'

// The language is known before any code that has texts.
const language = firstLanguage()
setLanguage(language)
document.documentElement.lang = language
// No `await`: what is loaded imports this file's parts, and would wait for it.
void loadTexts('base').then(() => import('./main.tsx'))
