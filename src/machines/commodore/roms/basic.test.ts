import { describe, expect, test } from 'vitest';
import { RomBench } from './rom-bench-testing.ts';

const output = (program: string, maxFrames?: number) => RomBench.ready().run(program, maxFrames);

describe('programs', () => {
  const cases: readonly (readonly [what: string, program: string, expected: string])[] = [
    [
      'numbers',
      '10 PRINT 1/3;2^10;-2^2;.01;.001;1E9;123456789;1.5E3',
      ' .333333333  1024 -4  .01  1E-03  1E+09\n 123456789  1500',
    ],
    ['zones', '10 PRINT 1,2,"A":PRINT TAB(5)"X"SPC(2)"Y"', ' 1         2        A\n     X  Y'],
    ['precedence', '10 PRINT 2+3*4^2;(2+3)*4;10-5-2;2*-3;NOT 5;5 AND 3 OR 8', ' 50  20  3 -6 -6  9'],
    ['relations', '10 PRINT 3>2;2>=3;3<>3;"ABC"<"ABD";"A"="A"', '-1  0  0 -1 -1'],
    [
      'loops',
      '10 FOR I=1 TO 3:FOR J=2 TO 1 STEP -1:PRINT I;J;:NEXT J,I:PRINT:FOR X=0 TO .5 STEP .25:PRINT X;:NEXT',
      ' 1  2  1  1  2  2  2  1  3  2  3  1\n 0  .25  .5',
    ],
    [
      'subroutines',
      '10 GOSUB 100:PRINT "BACK":ON 2 GOSUB 90,100:ON 3 GOTO 90,90,30\n20 PRINT "NO"\n30 END\n90 PRINT "90"\n100 PRINT "SUB":RETURN',
      'SUB\nBACK\nSUB',
    ],
    [
      'strings',
      '10 A$="HELLO":B$=A$+" WORLD":PRINT LEFT$(B$,2);MID$(B$,4,3);RIGHT$(B$,3);LEN(B$);ASC("A");CHR$(66);VAL("12.5E1");STR$(7)',
      'HELO RLD 11  65 B 125  7',
    ],
    [
      'arrays',
      '10 DIM A(3,2),B$(2),C%(4):A(3,2)=9:B$(1)="X":C%(2)=-3.7:D(10)=1:PRINT A(3,2);A(0,0);B$(1);C%(2);D(10)',
      ' 9  0 X-4  1',
    ],
    ['data', '10 READ A,B$,C$:PRINT A;B$;C$:RESTORE:READ Q:PRINT Q\n20 DATA 12, TEXT ,"A,B"', ' 12 TEXT A,B\n 12'],
    ['functions', '10 DEF FN F(X)=X*X+1:X=7:PRINT FN F(3);X;INT(-3.5);ABS(-2);SGN(-9);SQR(16)', ' 10  7 -4  2 -1  4'],
    ['transcendental', '10 PRINT SIN(1);COS(1);EXP(1)', ' .841470985  .540302306  2.71828183'],
    [
      'conditions',
      '10 IF 1 THEN PRINT "A":PRINT "B"\n20 IF 0 THEN PRINT "NO":PRINT "NO"\n30 IF 2>1 GOTO 50\n40 PRINT "NO"\n50 IF -1 THEN 60\n60 PRINT "C"',
      'A\nB\nC',
    ],
    ['memory', '10 POKE 49152,96:POKE 646,1:PRINT PEEK(49152);PEEK(646):SYS 49152:WAIT 1,1', ' 96  1'],
    ['clock', '10 TI$="010203":PRINT TI$;TI>=223380', '010203-1'],
    ['random numbers', '10 A=RND(-3):B=RND(1):C=RND(-3):PRINT A=C;B=RND(1);B=RND(1);RND(0)<1', '-1 -1  0 -1'],
    ['garbage', '10 FOR I=1 TO 200:A$=STR$(I)+"X":B$(I AND 7)=A$+A$:NEXT:X=FRE(0):PRINT A$;B$(0)', ' 200X 200X 200X'],
    ['powers and signs', '10 PRINT 2^-1;9^.5;(-2)^3;0^0;2^-3', ' .5  3 -8  1  .125'],
  ];
  test.each(cases)('%s', (_, program, expected) => {
    expect(output(program)).toBe(expected);
  });

  test('output to a file on the screen', () => {
    expect(output('10 OPEN 1,3:PRINT#1,"TO SCREEN";5:CMD 1:PRINT "X"')).toBe('TO SCREEN 5\n\nX');
  });

  test('INPUT asks, GET takes a key', () => {
    const bench = RomBench.ready();
    bench.run('10 INPUT "NAME";A$:INPUT X,Y:PRINT A$;X+Y\n20 GET K$:IF K$="" THEN 20\n30 PRINT "KEY "K$');
    bench.type('joe\n');
    bench.type('3\n');
    bench.type('4\n');
    bench.until(() => bench.text().includes('JOE 7'), 100);
    expect(bench.text()).toContain('NAME? JOE\n? 3\n?? 4\nJOE 7');
    bench.type('k');
    bench.until(() => bench.text().includes('KEY K'), 100);
  });

  test('a wrong answer to INPUT is asked for again', () => {
    const bench = RomBench.ready();
    bench.run('10 INPUT X:PRINT X*2');
    bench.type('abc\n');
    bench.until(() => bench.text().includes('?A NUMBER, PLEASE'), 100);
    bench.type('21\n');
    bench.until(() => bench.text().includes(' 42'), 100);
  });
});

describe('errors', () => {
  const cases: readonly (readonly [program: string, expected: string])[] = [
    ['10 PRNT', '?SYNTAX  ERROR IN 10'],
    ['10 GOTO 99', '?NO SUCH LINE  ERROR IN 10'],
    ['10 A$=5', '?WRONG TYPE  ERROR IN 10'],
    ['10 PRINT 1/0', '?DIVISION BY ZERO  ERROR IN 10'],
    ['10 POKE 1,256', '?BAD VALUE  ERROR IN 10'],
    ['10 NEXT', '?NEXT WITHOUT FOR  ERROR IN 10'],
    ['10 RETURN', '?RETURN WITHOUT GOSUB  ERROR IN 10'],
    ['10 READ A', '?OUT OF DATA  ERROR IN 10'],
    ['10 A(11)=1', '?BAD SUBSCRIPT  ERROR IN 10'],
    ['10 DIM A(1),A(1)', '?ARRAY EXISTS  ERROR IN 10'],
    ['10 DIM A(9999)', '?OUT OF MEMORY  ERROR IN 10'],
    ['10 GOSUB 10', '?OUT OF MEMORY  ERROR IN 10'],
    ['10 A=1E38*10', '?NUMBER TOO LARGE  ERROR IN 10'],
    ['10 A$="X":FOR I=0 TO 9:A$=A$+A$:NEXT', '?STRING TOO LONG  ERROR IN 10'],
    ['10 PRINT FN Q(1)', '?NO SUCH FUNCTION  ERROR IN 10'],
    ['10 LOAD "X",8', '?DEVICE NOT PRESENT  ERROR IN 10'],
    ['10 PRINT 1:STOP', ' 1\n\nBREAK IN 10'],
  ];
  test.each(cases)('%s', (program, expected) => {
    expect(output(program).trim()).toBe(expected.trim());
  });
});

describe('direct mode', () => {
  test('lines are typed, listed, replaced and removed', () => {
    const bench = RomBench.ready();
    bench.command('20 ?"TWO":GOTO 40');
    bench.command('10 FOR I=1 TO 2:PRINT I:NEXT:REM LOOP:X');
    bench.command('40 END');
    bench.press('shift', 'home');
    expect(bench.command('LIST')).toContain(
      '\n10 FOR I=1 TO 2:PRINT I:NEXT:REM LOOP:X\n20 PRINT"TWO":GOTO 40\n40 END\nREADY.',
    );
    bench.press('shift', 'home');
    expect(bench.command('LIST 20-')).toBe('LIST 20-\n\n20 PRINT"TWO":GOTO 40\n40 END\nREADY.');
    bench.command('20');
    bench.press('shift', 'home');
    expect(bench.command('LIST')).not.toContain('TWO');
    expect(bench.command('RUN')).toContain('RUN\n 1\n 2\n\nREADY.');
    bench.command('NEW');
    bench.press('shift', 'home');
    expect(bench.command('LIST')).toBe('LIST\n\nREADY.');
  });

  test('STOP breaks a program and CONT goes on', () => {
    const bench = RomBench.ready();
    bench.type('10 i=i+1:goto 10\n');
    bench.frames(5);
    bench.type('run\n');
    bench.frames(20);
    bench.hold(true, 'stop');
    bench.until(() => bench.text().includes('BREAK IN 10'), 50);
    bench.hold(false, 'stop');
    bench.frames(5);
    const count = () => Number(/PRINT I\n\s*(\d+)(?![\s\S]*PRINT I)/.exec(bench.command('PRINT I'))?.[1]);
    const first = count();
    expect(first).toBeGreaterThan(10);
    bench.type('cont\n');
    bench.frames(20);
    bench.hold(true, 'stop');
    bench.frames(10);
    bench.hold(false, 'stop');
    bench.frames(5);
    expect(count()).toBeGreaterThan(first);
  });

  test('a program in machine code after a SYS line runs and comes back', () => {
    const bench = RomBench.ready();
    // 10 SYS2064, then at $0810: inc $d020 / lda #'!' / jmp $ffd2
    bench.board.ram.set([0x0b, 0x08, 0x0a, 0x00, 0x9e, 0x32, 0x30, 0x36, 0x34, 0, 0, 0], 0x801);
    bench.board.ram.set([0xee, 0x20, 0xd0, 0xa9, 0x21, 0x4c, 0xd2, 0xff], 0x810);
    bench.board.ram.set([0x18, 0x08, 0x18, 0x08, 0x18, 0x08], 0x2d);
    expect(bench.command('RUN')).toContain('RUN\n!\nREADY.');
    expect(bench.board.vic.peek(0x20) & 15).toBe(15);
  });
});
