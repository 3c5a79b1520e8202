import { describe, expect, it } from 'vitest';
import { numberText, parse, pretty, write } from '../src/kit/json';
import { commandLine } from '../src/kit/words';

describe('JSON keeps what it was', () => {
  const check = (input: string, expected: string) => expect(write(parse(input))).toBe(expected);

  it('keeps every digit, since a machine number would not', () => {
    check('9007199254740993', '9007199254740993');
    check('[1.10, -0, 1e400]', '[1.10,-0,1e400]');
  });
  it('keeps members in order, also those that look like numbers', () =>
    check('{"b":1,"1":2,"a":{}}', '{"b":1,"1":2,"a":{}}'));
  it('is not misled by a member called __proto__', () => check('{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'));
  it('keeps text with escapes', () => check('"a\\n\\u0041\\"\\\\"', '"a\\nA\\"\\\\"'));

  it.each(['', '{', '[1,]', '{"a":}', '01', '1.', 'nul', '"a', '{} x', "{'a':1}", '"\u0001"'])('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(SyntaxError);
  });
  it('ends on nesting that would break the stack', () => expect(() => parse('['.repeat(100_000))).toThrow(/too deep/));

  it('shows text that is no JSON as it is', () => expect(pretty('not { json')).toBe('not { json'));
  it('breaks lines without touching digits', () => {
    expect(pretty('{"a":[9007199254740993]}')).toBe('{\n  "a": [\n    9007199254740993\n  ]\n}');
  });
});

describe('a typed number', () => {
  const check = (typed: string, integer: boolean, expected: string | null) =>
    expect(numberText(typed, integer)).toBe(expected);

  it('keeps its digits', () => check(' 9007199254740993 ', true, '9007199254740993'));
  it('may be written as people write', () => {
    check('.5', false, '0.5');
    check('1.', false, '1');
    check('+3', false, '3');
    check('-.5e3', false, '-0.5e3');
    check('007', true, '7');
    check('-74.01', false, '-74.01');
  });
  it('is refused when it is none', () => {
    for (const typed of ['', '-', '1,5', 'e3', '1e', 'NaN', '0x10', '--1']) check(typed, false, null);
    check('1.5', true, null);
    check('1e3', true, null);
  });
});

it('writes a command line in which every argument is one', () => {
  expect(commandLine('npx', ['-y', 'two words', "it's", '', '$HOME'])).toBe(`npx -y 'two words' 'it'\\''s' '' '$HOME'`);
});
