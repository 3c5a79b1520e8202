/** The resources and templates of a server that does not exist. */
import type { ClaimsView, ListingView, ResourceView, TemplateView } from './types';

export const DRAWING =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxNiAxNiI+PHJlY3Qgd2lkdGg9IjE2IiBoZWlnaHQ9IjE2IiByeD0iMyIgZmlsbD0iIzFjNWE0ZiIvPjxwYXRoIGQ9Ik00IDVoOE00IDhoOE00IDExaDUiIHN0cm9rZT0iI2ZmZiIgc3Ryb2tlLXdpZHRoPSIxLjUiLz48L3N2Zz4=';
export const claims: ClaimsView = { audience: [], priority: null, lastModified: null };

export const resources: ListingView<ResourceView> = {
  items: [
    {
      uri: 'notes://index',
      label: 'notes://index',
      name: 'index',
      title: 'Index',
      description: 'Every note by title',
      mimeType: 'text/plain',
      size: 1240,
      claims: { audience: ['user'], priority: 0.9, lastModified: '2026-02-03T10:00:00Z' },
      icon: { light: DRAWING, dark: null, remote: null },
    },
    {
      uri: 'notes://cover',
      label: 'notes://cover',
      name: 'Cover',
      title: null,
      description: null,
      mimeType: 'image/png',
      size: null,
      claims,
      icon: { light: null, dark: null, remote: 'https://example.org/cover.png' },
    },
  ],
  unreadable: [],
  stopped: null,
};

export const templates: ListingView<TemplateView> = {
  items: [
    {
      template: 'notes://by/{author}{/path*}{?year}',
      label: 'notes://by/{author}{/path*}{?year}',
      name: 'note',
      title: 'A note',
      description: 'One note of an author',
      mimeType: 'text/markdown',
      variables: [
        { name: 'author', several: false },
        { name: 'path', several: true },
        { name: 'year', several: false },
      ],
      unusable: null,
      claims,
      icon: null,
    },
    {
      template: 'notes://{',
      label: 'notes://{',
      name: 'broken',
      title: null,
      description: null,
      mimeType: null,
      variables: [],
      unusable: 'the expression is not closed',
      claims,
      icon: null,
    },
  ],
  unreadable: [],
  stopped: null,
};

/** What the twin suggests for an argument. */
export const authors = ['ada', 'adele', 'alan', 'grace'];
