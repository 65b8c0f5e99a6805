import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demangle } from './demangle.ts';

const both = (symbols: Readonly<Record<string, string>>) => Object.entries(symbols);

describe('C++', () => {
  test.for(
    both({
      _Z4mainv: 'main()',
      _Z3fooiPKcz: 'foo(int, char const*, ...)',
      _ZN4uart4PortC1Ei: 'uart::Port::Port(int)',
      _ZN4uart4PortD0Ev: 'uart::Port::~Port()',
      _ZN4uart4Port5countE: 'uart::Port::count',
      _ZN4uart4Port5writeEPKcm: 'uart::Port::write(char const*, unsigned long)',
      _ZNK4uart4Port4readEv: 'uart::Port::read() const',
      _ZNK4uart4PortcvbEv: 'uart::Port::operator bool() const',
      _ZNK4uart4PorteqERKS0_: 'uart::Port::operator==(uart::Port const&) const',
      _ZlsRN4uart4PortEi: 'operator<<(uart::Port&, int)',
      _Zli2_sB5cxx11PKcm: 'operator"" _s[abi:cxx11](char const*, unsigned long)',
      _ZN4uart12_GLOBAL__N_16hiddenEi: 'uart::(anonymous namespace)::hidden(int)',
      _ZN4uart4RingIiLi16EE2atEj: 'uart::Ring<int, 16>::at(unsigned int)',
      _ZN4uart3sumIJilcEEEiDpT_: 'uart::sum<int, long, char>(int, long, char)',
      _ZN4uart4pickEPFicEMNS_4PortEFvcE: 'uart::pick(int (*)(char), void (uart::Port::*)(char))',
      _ZN4uart4callIZNS_3useEiEUliE_EEDTclfp_Li1EEET_:
        'uart::call<uart::use(int)::{lambda(int)#1}>(uart::use(int)::{lambda(int)#1})',
      _ZZN4uart3useEiE4once: 'uart::use(int)::once',
      _ZGVZN4uart3useEiE4once: 'guard variable for uart::use(int)::once',
      _ZTVN4uart4PortE: 'vtable for uart::Port',
      _ZTSN4uart4PortE: 'typeinfo name for uart::Port',
      _ZTv0_n24_NSoD0Ev: 'virtual thunk to std::basic_ostream<char, std::char_traits<char> >::~basic_ostream()',
      _ZNSs6assignEOSs: 'std::string::assign(std::string&&)',
      _ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4findEPKcm:
        'std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >::find(char const*, unsigned long) const',
      _ZNSolsEPFRSoS_E: 'std::ostream::operator<<(std::ostream& (*)(std::ostream&))',
      _ZN4llvm2cl5applyINS0_3optIbLb1ENS0_6parserIbEEEEA18_cJNS0_4descEEEEvPT_RKT0_DpRKT1_:
        'llvm::cl::apply<llvm::cl::opt<bool, true, llvm::cl::parser<bool> >, char [18], llvm::cl::desc>' +
        '(llvm::cl::opt<bool, true, llvm::cl::parser<bool> >*, char const (&) [18], llvm::cl::desc const&)',
      _ZNKSt4hashISsEclESs: 'std::hash<std::string>::operator()(std::string) const',
      '_ZN4core4sortEv.isra.0.cold': 'core::sort() [clone .isra.0] [clone .cold]',
    }),
  )('%s', ([symbol, text]) => {
    expect(demangle(symbol)?.text).toBe(text);
  });

  test('a function is also known without its parameters', () => {
    expect(demangle('_ZN4uart4RingIiLi16EE2atEj')?.name).toBe('uart::Ring<int, 16>::at');
    expect(demangle('_ZNK4uart4Port4readEv')?.name).toBe('uart::Port::read');
  });
});

describe('Rust', () => {
  test.for(
    both({
      _ZN5hello4uart4hook17h96d2e3b55458c74eE: 'hello::uart::hook',
      _ZN5hello4uart13gr$uf6$$udf$e17h9cf7013a88df5244E: 'hello::uart::größe',
      '_ZN64_$LT$hello..uart..Port$LT$_$GT$$u20$as$u20$hello..uart..Read$GT$4read17h309ca0192c85f1d2E':
        '<hello::uart::Port<_> as hello::uart::Read>::read',
      _RNvNtCsekZIssdfibn_5hello4uart4hook: 'hello::uart::hook',
      _RINvNtCsekZIssdfibn_5hello4uartu9gre_6ka8iDNtB2_4ReadEL_EB4_: 'hello::uart::größe::<dyn hello::uart::Read>',
      _RINvMs_NtCsekZIssdfibn_5hello4uartINtB5_4PortKj10_E4fillNCNvB7_2go0EB7_:
        '<hello::uart::Port<16>>::fill::<hello::go::{closure#0}>',
      _RNvXNtCsekZIssdfibn_5hello4uartINtB2_4PortKj10_ENtB2_4Read4readB4_:
        '<hello::uart::Port<16> as hello::uart::Read>::read',
      _RNvNCNvMs_NtNtCseIcVcpPVEBv_14rustc_borrowck10type_check10relate_tysNtB8_15NllTypeRelating12enter_forall010___CALLSITE:
        '<rustc_borrowck::type_check::relate_tys::NllTypeRelating>::enter_forall::{closure#0}::__CALLSITE',
      '_RNvNtCsekZIssdfibn_5hello4uart4hook.llvm.1234567': 'hello::uart::hook',
    }),
  )('%s', ([symbol, text]) => {
    expect(demangle(symbol)?.text).toBe(text);
  });
});

describe('what is no such name stays as it is', () => {
  test.for([
    'main',
    '_start',
    '_Z',
    '_ZN',
    '_ZN4uart',
    '_ZNSE',
    '_R',
    '_RNv',
    '_Zfoo',
    '_ZN99fooEv',
    'printf',
    '__Zed',
  ])('%s', (symbol) => {
    expect(demangle(symbol)).toBeUndefined();
  });

  test('whatever is made of the letters of such names, it ends, with text of bounded size', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'NSTIEKPRFvijc_0123456789ZLXJDpBCsulAM'), maxLength: 200 });
    const property = fc.property(fc.constantFrom('_Z', '_ZN', '_R', '_RINv', '_ZNSt'), letters, (start, rest) => {
      expect(demangle(start + rest)?.text.length ?? 0).toBeLessThan(100_000);
    });
    fc.assert(property, { numRuns: 3000 });
  });

  test('names that double themselves again and again are given up', () => {
    const seen = (index: number) => (index === 0 ? 'S_' : `S${(index - 1).toString(36).toUpperCase()}_`);
    // Pointers to functions of the last pointer, twice; each of them and its function can be pointed at.
    const doubling = Array.from({ length: 30 }, (_, n) => `PFv${seen(2 * n)}${seen(2 * n)}E`);
    expect(demangle(`_Z1f1a${doubling.slice(0, 2).join('')}`)?.text).toBe(
      'f(a, void (*)(a, a), void (*)(void (*)(a, a), void (*)(a, a)))',
    );
    expect(demangle(`_Z1f1a${doubling.join('')}`)).toBeUndefined();
    expect(demangle(`_Z1f${'P'.repeat(5000)}i`)).toBeUndefined();
    expect(demangle(`_RNv${'B_'.repeat(500)}`)).toBeUndefined();
  });

  test('characters that would act on a terminal are not shown', () => {
    expect(demangle('_ZN3foo13a$u1b$$u202e$17h0123456789abcdefE')?.text).toBe('foo::a??');
  });
});
