import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const features = [
  'folders',
  'servers',
  'calls',
  'questions',
  'record',
  'grants',
  'welcome',
  'notices',
  'results',
  'palette',
  'keys',
];

/** A feature knows `ipc` and `kit`, never another feature; only `src/ipc/tauri.ts` knows Tauri. */
const borders = (group, message) => ({ group, message });
const tauri = borders(['@tauri-apps/*'], 'Only src/ipc/tauri.ts knows Tauri.');

export default ts.config(
  { ignores: ['dist', 'src/ipc/bindings'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser } } },
  { files: ['*.js', '*.ts'], languageOptions: { globals: { ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: ['.svelte'], svelteConfig } },
    rules: {
      'no-undef': 'off',
      'svelte/no-at-html-tags': 'error',
      'svelte/no-inline-styles': ['error', { allowTransitions: false }],
      'svelte/require-each-key': 'error',
      'svelte/button-has-type': 'error',
    },
  },
  {
    files: ['src/**', 'tests/**'],
    rules: {
      'max-lines': ['error', { max: 400 }],
      'no-restricted-imports': ['error', { patterns: [tauri] }],
    },
  },
  { files: ['src/ipc/tauri.ts'], rules: { 'no-restricted-imports': 'off' } },
  ...features.map((feature) => ({
    files: [`src/features/${feature}/**`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            tauri,
            {
              regex: `features/(?!${feature}(/|$))|^\\.\\./(?!\\.\\./(kit|ipc)(/|$))`,
              message: 'A feature imports ipc and kit, never another feature or the app.',
            },
          ],
        },
      ],
    },
  })),
  {
    files: ['src/kit/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [tauri, borders(['**/features/**', '**/ipc/**'], 'The kit knows no feature and no ipc.')] },
      ],
    },
  },
  {
    files: ['src/ipc/**'],
    ignores: ['src/ipc/tauri.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [tauri, borders(['**/features/**', '**/kit/**'], 'The ipc knows no feature and no kit.')] },
      ],
    },
  },
);
