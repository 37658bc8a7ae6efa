import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from './source.mjs';

const { keyName, wrong } = await load('endpoint');

test('an address is https, or http on this machine, and holds no secret', () => {
  for (const [address, fault] of [
    ['https://models.example/v1', undefined], [' https://models.example/v1 ', undefined],
    ['http://127.0.0.1:11434/v1', undefined], ['http://localhost:1234/v1', undefined], ['http://[::1]:8000/v1', undefined],
    ['http://0.0.0.0:11434/v1', undefined], ['http://[::]:1234/v1', undefined], ['http://localhost.:1/v1', undefined], ['http://[::ffff:127.0.0.1]/v1', undefined], ['http://[::ffff:10.0.0.1]/v1', 'clear'],
    ['http://models.example/v1', 'clear'], ['http://192.168.1.4:11434/v1', 'clear'], ['http://127.0.0.1.example/v1', 'clear'],
    ['http://127.1', 'clear'], ['http://0x7f.1/v1', 'clear'], ['http://127.0.0.01/v1', 'clear'], ['http://2130706433', 'clear'], ['http://0', 'clear'],
    ['http://127.0.0.1./v1', undefined], ['HTTP://LOCALHOST:1/v1', undefined], ['http://[0:0:0:0:0:0:0:1]/v1', undefined], ['https://例.中国/v1', undefined],
    ['https://models.example#part', 'fragment'], ['https://models.example/v1#', 'fragment'],
    ['http:127.0.0.1/v1', 'address'], ['http:\\\\127.0.0.1', 'address'], ['https://models.example\\v1', 'address'], ['http://localhost:0/v1', 'address'], ['https://models.example/v 1', 'address'],
    ['https://me:pass@models.example/v1', 'secret'], ['https://models.example/v1?key=abc', 'secret'],
    ['', 'address'], ['models.example/v1', 'address'], ['ftp://models.example', 'address'], ['file:///etc/passwd', 'address'],
  ]) assert.equal(wrong(address), fault, address);
});

test('a key is for one place: a model that moves to another one gets a key of its own name, the same place keeps it', () => {
  const home = { endpoint: 'https://models.example/v1', model: 'a', key: 'editor:home' };
  const at = (endpoint, models) => keyName('home', endpoint, models);
  assert.equal(at('https://models.example/v1', {}), 'home');
  assert.equal(at('https://models.example/v2 ', { home }), 'home');
  assert.equal(at('https://other.example/v1', { home }), 'home-other.example');
  assert.equal(at('http://127.0.0.1:8080/v1', { home }), 'home-127.0.0.1-8080');
  assert.equal(at('https://other.example/v1', { home: { ...home, key: undefined } }), 'home', 'no key, nothing to keep apart');
  assert.equal(at('https://other.example/v1', { garden: home }), 'home-other.example', 'whoever uses it');
  const moved = { ...home, endpoint: 'https://other.example/v1', key: 'editor:home-other.example' };
  assert.equal(at('https://models.example/v1', { home: moved }), 'home', 'and back');
  const name = 'n'.repeat(64);
  const long = keyName(name, `https://${'sub.'.repeat(40)}example/v1`, { [name]: { ...home, key: `editor:${name}` } });
  assert.match(long, /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/);
});
